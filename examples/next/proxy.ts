import { type NextRequest, NextResponse } from 'next/server'

const inDevelopment = process.env.NODE_ENV === 'development'

/** Strict where it runs for people. In development Next.js itself evaluates strings and writes styles into the page. */
function policyWith(nonce: string): string {
  const strict = ["style-src 'self'", "require-trusted-types-for 'script'", 'trusted-types default nextjs']
  const lenient = ["style-src 'self' 'unsafe-inline'"]
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${inDevelopment ? " 'unsafe-eval'" : ''}`,
    ...(inDevelopment ? lenient : strict),
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Before every page: a policy with its own nonce, and a name for a visitor who has none. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = crypto.randomUUID()
  const policy = policyWith(nonce)
  const headers = new Headers(request.headers)
  // Next.js reads the nonce from the policy of the request and puts it on its own scripts; the layout reads the other header.
  headers.set('content-security-policy', policy)
  headers.set('x-nonce', nonce)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  response.headers.set('x-content-type-options', 'nosniff')
  response.headers.set('referrer-policy', 'same-origin')
  if (!request.cookies.has('visitor')) {
    response.cookies.set('visitor', crypto.randomUUID(), {
      httpOnly: true,
      sameSite: 'strict',
      secure: request.nextUrl.protocol === 'https:',
      path: '/',
    })
  }
  return response
}

export const config = { matcher: ['/((?!api/|_next/static|icon.svg).*)'] }
