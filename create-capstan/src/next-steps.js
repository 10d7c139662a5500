import { relative } from 'node:path'

/**
 * What to type next, for the package manager that was used.
 *
 * @param {import('./create-project.js').Choices} choices
 * @param {string | undefined} userAgent `npm_config_user_agent`
 */
export function nextSteps({ folder, agent }, userAgent = 'npm/') {
  const [manager] = userAgent.split('/')
  const path = relative('', folder)
  return [
    `Made ${folder}. Next:`,
    '',
    ...(path === '' ? [] : [`  cd ${/\s/.test(path) ? `"${path}"` : path}`]),
    `  ${manager} install`,
    ...(agent === 'echo' ? [] : ['  cp .env.example .env.local    and put your key in it']),
    `  ${manager} run dev`,
  ].join('\n')
}
