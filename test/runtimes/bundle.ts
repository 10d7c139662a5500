import { build } from 'esbuild'

/** An app as one module, with this package from its sources. @param stdin the text of an app in place of a file */
export async function bundle(app: string | { readonly contents: string }): Promise<string> {
  const { outputFiles } = await build({
    ...(typeof app === 'string'
      ? { entryPoints: [`${import.meta.dirname}/apps/${app}`] }
      : { stdin: { contents: app.contents, loader: 'ts', resolveDir: import.meta.dirname } }),
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: ['cloudflare:*', 'node:*'],
    target: 'es2022',
    plugins: [
      {
        name: 'sources',
        setup({ onResolve }) {
          onResolve({ filter: /^capstan\// }, ({ path }) => ({
            path: `${import.meta.dirname}/../../src/${path.slice('capstan/'.length).replaceAll('/', '-')}.ts`,
          }))
        },
      },
    ],
  })
  return outputFiles[0]?.text ?? ''
}
