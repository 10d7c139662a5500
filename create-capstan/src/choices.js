/** What a project is made with, in the order in which it is offered. @type {Readonly<Record<string, string>>} */
export const TEMPLATES = { vite: 'Vite, with a small Node server', next: 'Next.js, App Router' }

/** Who answers. @type {Readonly<Record<string, string>>} */
export const AGENTS = {
  echo: 'Repeats what you say: no key, no account',
  'ai-sdk': 'The AI SDK, with a model of OpenAI',
  openai: 'The OpenAI SDK, with the Responses API',
}
