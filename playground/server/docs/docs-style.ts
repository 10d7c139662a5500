/** The style sheet of the pages. A module, so that it travels with the bundled server. */
export const docsStyle = `:root {
  color-scheme: light dark;
  --page: light-dark(oklch(0.994 0.0015 246), oklch(0.182 0.006 240));
  --sunken: light-dark(oklch(0.974 0.003 246), oklch(0.158 0.006 240));
  --code: light-dark(oklch(0.976 0.003 246), oklch(0.212 0.007 240));
  --line: light-dark(oklch(0.916 0.005 246), oklch(0.292 0.008 240));
  --ink: light-dark(oklch(0.235 0.012 245), oklch(0.930 0.004 230));
  --ink-2: light-dark(oklch(0.430 0.013 240), oklch(0.765 0.008 235));
  --accent: light-dark(oklch(0.490 0.096 238), oklch(0.790 0.090 232));
  --soft: light-dark(oklch(0.958 0.020 232), oklch(0.275 0.040 238));
}
* { box-sizing: border-box; }
body {
  margin: 0; display: grid; grid-template-columns: 16rem minmax(0, 1fr); min-block-size: 100vh;
  font: 400 1rem/1.625 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif;
  color: var(--ink); background: var(--page);
}
nav { padding: 1.5rem 1rem; background: var(--sunken); border-inline-end: 1px solid var(--line); font-size: 0.875rem; line-height: 1.25rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: 0.375rem 0.5rem; border-radius: 0.5rem; color: var(--ink-2); text-decoration: none; }
nav li a:hover, nav [aria-current] { background: var(--soft); color: var(--ink); }
nav p { margin: 0 0 1rem; padding-inline: 0.5rem; font-weight: 600; }
nav p a { color: inherit; text-decoration: none; }
main { inline-size: min(46rem, 100%); padding: 2.5rem 1.5rem 6rem; margin-inline: auto; overflow-wrap: break-word; }
h1, h2, h3, h4 { line-height: 1.25; letter-spacing: -0.011em; margin: 2em 0 0.5em; scroll-margin-block-start: 1rem; }
h1 { font-size: 1.625rem; margin-block-start: 0; }
h2 { font-size: 1.25rem; }
h3, h4 { font-size: 1.0625rem; }
:target { background: var(--soft); border-radius: 0.3125rem; outline: 0.25rem solid var(--soft); }
p, ul, ol, pre, table, blockquote { margin: 0 0 1rem; }
a { color: var(--accent); text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code { font: 0.92em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; background: var(--code); padding: 0.1em 0.3em; border-radius: 0.3125rem; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 0.75rem; padding: 1rem; overflow-x: auto; }
pre code { padding: 0; background: none; }
table { display: block; overflow-x: auto; border-collapse: collapse; font-size: 0.875rem; }
th, td { text-align: start; padding: 0.5rem 0.75rem; border-block-end: 1px solid var(--line); vertical-align: top; }
blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); color: var(--ink-2); }
hr { border: 0; border-block-start: 1px solid var(--line); margin-block: 2rem; }
@media (max-width: 60rem) {
  body { display: block; }
  nav { border-inline-end: 0; border-block-end: 1px solid var(--line); }
}
`
