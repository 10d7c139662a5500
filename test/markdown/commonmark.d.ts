declare module 'commonmark' {
  export class Parser {
    parse(text: string): unknown
  }
  export class HtmlRenderer {
    render(tree: unknown): string
  }
}
