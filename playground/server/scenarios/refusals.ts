import type { ScenarioId } from './scenario-list.ts'

/** Scenarios that are answered before any agent is asked. */
export function refusalFor(scenario: ScenarioId | undefined): Response | undefined {
  if (scenario === 'http-401') {
    const body = {
      code: 'auth_failed',
      message: 'This agent answers people who have signed in. Sign in and ask again.',
      severity: 'FATAL',
    }
    return Response.json(body, { status: 401, headers: { 'www-authenticate': 'Bearer realm="rivers"' } })
  }
  if (scenario === 'http-500') {
    const page =
      '<!doctype html><html><head><title>500</title></head><body><h1>Something went wrong</h1><p>The gateway could not reach the agent.</p></body></html>'
    return new Response(page, { status: 500, headers: { 'content-type': 'text/html; charset=utf-8' } })
  }
  return undefined
}
