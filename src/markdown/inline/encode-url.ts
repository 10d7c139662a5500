/** An address as it may be in an attribute: what is percent-encoded stays so, everything else that is no letter of addresses becomes so. */
export function encodeUrl(url: string): string {
  return url.replace(/%(?![0-9a-f]{2})|[^\w;/?:@&=+$,.!~*'()#%-]+/giu, (part) =>
    encodeURIComponent(part.replace(/[\uD800-\uDFFF]/gu, '\uFFFD')),
  )
}
