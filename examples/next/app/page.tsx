import { redirect } from 'next/navigation'

/** Every conversation has an address of its own. */
export default function NewConversation(): never {
  redirect(`/chat/${crypto.randomUUID()}`)
}

export const dynamic = 'force-dynamic'
