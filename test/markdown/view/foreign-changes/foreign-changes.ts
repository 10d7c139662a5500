// What browser translation and extensions do to a page: they know nothing of React.

/** The text nodes in an element that have not been changed before. */
function textsIn(root: Node): readonly Text[] {
  const walker = root.ownerDocument?.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  // Shows text nodes only.
  for (let text = walker?.nextNode(); text; text = walker?.nextNode())
    if (!text.parentElement?.matches('font, mark') && text.nextSibling?.nodeName !== 'MARK') found.push(text as Text)
  return found
}

/** A deprecated element is what translators use. */
function element({ ownerDocument }: Element, name: string): HTMLElement {
  return ownerDocument.createElement(name)
}

/** Replaces text nodes by two nested `font` elements with the same words, as browser translation does. */
export function translate(root: Element, isDue: (text: Text) => boolean = () => true): void {
  for (const text of textsIn(root).filter(isDue)) {
    const [outer, inner] = [element(root, 'font'), element(root, 'font')]
    inner.textContent = text.data
    outer.append(inner)
    text.replaceWith(outer)
  }
}

/** Splits every text node and puts a mark around its second half, as a highlighter of words does. */
export function highlight(root: Element): void {
  for (const text of textsIn(root)) {
    if (text.length < 2) continue
    const mark = element(root, 'mark')
    const half = text.splitText(text.length >> 1)
    half.replaceWith(mark)
    mark.append(half)
  }
}

/** Puts an element before and behind every element, as an extension that reads aloud or checks spelling does. */
export function decorate(root: Element): void {
  for (const each of root.querySelectorAll('*')) {
    if (each.matches('[data-extension]') || each.previousElementSibling?.matches('[data-extension]')) continue
    const note = element(root, 'i')
    note.dataset['extension'] = ''
    each.before(note)
    each.after(note.cloneNode())
  }
}

/** Moves what is in every block into its own element, as an extension that speaks or annotates a sentence does. */
export function wrap(root: Element): void {
  for (const block of root.querySelectorAll('p, h2, th, td')) {
    const box = element(root, 'mark')
    box.append(...block.childNodes)
    block.append(box)
  }
}

/** Puts an element around every element of a line, as an extension that looks up words or addresses does. */
export function wrapElements(root: Element): void {
  for (const each of root.querySelectorAll('em, strong, a')) {
    const box = element(root, 'mark')
    each.replaceWith(box)
    box.append(each)
  }
}
