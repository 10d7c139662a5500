/** One page in one browser, and what a user does with it. */
export interface Hands {
  open(url: string): Promise<void>
  /** Runs the body of a function on the page, and gives what it returns. */
  evaluate<Result>(body: string): Promise<Result>
  /** Presses the primary button at a place of the window, in CSS pixels. */
  click(x: number, y: number): Promise<void>
  /** Presses a key, or several together: `Control+v`. */
  press(keys: string): Promise<void>
  type(text: string): Promise<void>
  close(): Promise<void>
}

export interface Hand {
  /** How many pages can be used at the same time. */
  readonly pagesAtOnce: number
  openPage(): Promise<Hands>
  close(): Promise<void>
}
