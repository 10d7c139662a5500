const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]']

/**
 * Returns the id of the user who is calling. A conversation belongs to the user who started it, and nobody else can read it.
 *
 * During development every user of this machine is the same user, and requests to any other address are refused. A program can write another
 * address into a request, so let other machines reach this server only when you read the session of your app here: return the id of its
 * user, or a Response with status 401.
 */
export function authorize(request: Request): string | Response {
  if (THIS_MACHINE.includes(new URL(request.url).hostname)) return 'local-user'
  const message = 'Nobody can sign in yet. Return the id of the user in src/agent/authorize.ts.'
  return Response.json({ code: 'no_sign_in', message, severity: 'FATAL' }, { status: 401 })
}
