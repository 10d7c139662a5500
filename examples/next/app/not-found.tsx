import Link from 'next/link'

export default function NotFound() {
  return (
    <div className="notice">
      <h1>There is no such page</h1>
      <p>
        <Link href="/">Begin a new conversation</Link>
      </p>
    </div>
  )
}
