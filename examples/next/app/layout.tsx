import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import Link from 'next/link'
import type { ReactNode } from 'react'
import 'capstan/styles.css'
import './page.css'
import { ThemeChoice } from './theme-choice'
import { TRUSTED_TYPES } from './trusted-types'

export const metadata: Metadata = { title: 'River desk', description: 'Ask an agent about rivers' }
export const viewport: Viewport = { width: 'device-width', initialScale: 1, colorScheme: 'light dark' }

export default async function Layout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined
  const stored = (await cookies()).get('theme')?.value
  const theme = stored === 'light' || stored === 'dark' ? stored : undefined
  return (
    <html lang="en" data-theme={theme}>
      <head>
        {/* The browser hides a nonce from scripts, so what hydrates never finds the one that was sent. */}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: TRUSTED_TYPES }} />
      </head>
      <body>
        <header className="bar">
          <Link className="name" href="/" prefetch={false}>
            River desk
          </Link>
          <Link href="/" prefetch={false}>
            New conversation
          </Link>
          <ThemeChoice chosen={theme ?? 'system'} />
        </header>
        <main className="page">{children}</main>
      </body>
    </html>
  )
}
