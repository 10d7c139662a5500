/** As much of jsdom as the tests here use. */
declare module 'jsdom' {
  export class JSDOM {
    constructor(html: string, options: { readonly pretendToBeVisual: boolean; readonly url: string })
    readonly window: Window & typeof globalThis
  }
}
