/** What the tests use of the module that workerd has. */
declare module 'cloudflare:workers' {
  export function waitUntil(promise: Promise<unknown>): void
}
