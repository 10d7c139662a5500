/** Fetches a grammar: `() => import('shiki/langs/rust.mjs')`. Its `default` are grammars, the one that is meant last. */
export type GrammarLoader = () => Promise<{ readonly default: readonly object[] }>

const bash: GrammarLoader = () => import('shiki/langs/bash.mjs')
const c: GrammarLoader = () => import('shiki/langs/c.mjs')
const cpp: GrammarLoader = () => import('shiki/langs/cpp.mjs')
const csharp: GrammarLoader = () => import('shiki/langs/csharp.mjs')
const css: GrammarLoader = () => import('shiki/langs/css.mjs')
const diff: GrammarLoader = () => import('shiki/langs/diff.mjs')
const go: GrammarLoader = () => import('shiki/langs/go.mjs')
const html: GrammarLoader = () => import('shiki/langs/html.mjs')
const java: GrammarLoader = () => import('shiki/langs/java.mjs')
const javascript: GrammarLoader = () => import('shiki/langs/javascript.mjs')
const json: GrammarLoader = () => import('shiki/langs/json.mjs')
const jsx: GrammarLoader = () => import('shiki/langs/jsx.mjs')
const python: GrammarLoader = () => import('shiki/langs/python.mjs')
const rust: GrammarLoader = () => import('shiki/langs/rust.mjs')
const sql: GrammarLoader = () => import('shiki/langs/sql.mjs')
const tsx: GrammarLoader = () => import('shiki/langs/tsx.mjs')
const typescript: GrammarLoader = () => import('shiki/langs/typescript.mjs')
const yaml: GrammarLoader = () => import('shiki/langs/yaml.mjs')

const LANGUAGES = {
  bash,
  sh: bash,
  shell: bash,
  zsh: bash,
  c,
  h: c,
  cpp,
  'c++': cpp,
  csharp,
  cs: csharp,
  'c#': csharp,
  css,
  diff,
  go,
  golang: go,
  html,
  java,
  javascript,
  js: javascript,
  mjs: javascript,
  json,
  jsx,
  python,
  py: python,
  rust,
  rs: rust,
  sql,
  tsx,
  typescript,
  ts: typescript,
  mts: typescript,
  yaml,
  yml: yaml,
}

/** A name under which `commonLanguages` knows a language. */
export type CommonLanguage = keyof typeof LANGUAGES

/** Eighteen languages by the names agents give them, each fetched when a block first names it. */
export const commonLanguages: Readonly<Record<CommonLanguage, GrammarLoader>> = LANGUAGES
