import { redirect } from 'next/navigation'

/** Every conversation has its own address. */
export default function NewConversation(): never {
  redirect(`/chat/${crypto.randomUUID()}`)
}

export const dynamic = 'force-dynamic'
