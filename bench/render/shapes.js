// What is streamed: messages of one shape each, the same for the same size.

const WORDS = 'The connection dropped and the session resumed after the last packet it saw, with the same request id. '

const repeat = (make) => (size) => {
  let text = ''
  for (let index = 0; text.length < size; index += 1) text += make(index)
  return text.slice(0, size)
}

export const SHAPES = {
  mixed: repeat(
    (n) =>
      `## Part ${n}\n\n${WORDS}See **this** and [that](https://example.org/${n}).\n\n- one\n- two \`code\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`js\nconst a = ${n}\n\`\`\`\n\n`,
  ),
  list: repeat((n) => `- item ${n} with *words* in it\n`),
  table: (size) =>
    `| a | b | c |\n|---|:-:|--:|\n${repeat((n) => `| ${n} | some *text* here | ${n * n} |\n`)(size)}`.slice(0, size),
  fence: (size) => `\`\`\`js\n${repeat((n) => `const value${n} = compute(${n})\n`)(size)}`.slice(0, size),
  paragraph: repeat(() => `${WORDS}And **bold** or \`code\`. `),
  footnotes: repeat((n) => `Text[^${n}] goes on with *words*.\n\n[^${n}]: Note ${n} says *this*.\n\n`),
}

/** Messages that are there already: questions of a line, answers of some hundred characters of markdown. */
export function history(count) {
  return Array.from({ length: count }, (_, at) => ({
    id: `m-${at}`,
    role: at % 2 === 0 ? 'user' : 'assistant',
    text: at % 2 === 0 ? `Question ${at}: what decides how wide a loop gets?` : SHAPES.mixed(200 + ((at * 137) % 700)),
  }))
}
