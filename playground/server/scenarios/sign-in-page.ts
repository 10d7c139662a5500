/** Where the scenario that asks to sign in leads to. */
export const SIGN_IN_ADDRESS = '/scenario-sign-in'

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Gauges of the authority</title><link rel="stylesheet" href="/docs/page.css"></head>
<body><main><h1>Gauges of the authority</h1><p>You are signed in. This sample asks for no password. Close this page and go back to the chat.</p></main></body>
</html>
`

/** A page of this server that stands for the sign-in page of somebody else. */
export function signInResponse(pathname: string): Response | undefined {
  if (pathname !== SIGN_IN_ADDRESS) return undefined
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
  return new Response(PAGE, { headers })
}
