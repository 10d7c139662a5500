/** Answers with status 200 that are not the agent's: a login page, JSON of something else, and what a followed redirect leads to. */
export const IMPOSTORS = ['login-page', 'other-json', 'redirect'] as const
export type Impostor = (typeof IMPOSTORS)[number]

export interface ImpostorAnswer {
  readonly status: 200
  readonly headers: Headers
  readonly text: string
}

export function isImpostor(kind: string): kind is Impostor {
  return IMPOSTORS.some((impostor) => impostor === kind)
}

export function impostorAnswer(kind: Impostor): ImpostorAnswer {
  const isJson = kind === 'other-json'
  return {
    status: 200,
    headers: new Headers({
      'content-type': isJson ? 'application/json' : 'text/html; charset=utf-8',
      // What a page that follows redirects knows of them.
      ...(kind === 'redirect' && { 'x-redirected': 'true' }),
    }),
    text: isJson ? '{"status":"ok"}' : '<!doctype html><title>Sign in</title><form method="post"></form>',
  }
}
