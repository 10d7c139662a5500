import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import 'capstan/styles-unlayered.css'
import '../page.css'

export const metadata: Metadata = { title: 'Chat' }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
