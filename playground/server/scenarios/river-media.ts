const MEDIA: ReadonlyMap<string, string> = new Map([
  [
    '/scenario-media/meander.svg',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200" role="img"><title>A river with four bends</title><rect width="320" height="200" fill="#dfe8d8"/><path d="M-10 120 C40 20 70 20 100 100 S150 190 185 110 S235 20 265 95 S310 160 335 120" fill="none" stroke="#5a93b8" stroke-width="18" stroke-linecap="round"/></svg>`,
  ],
  [
    '/scenario-media/oxbow.svg',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200" role="img"><title>A straightened river beside an oxbow lake</title><rect width="320" height="200" fill="#e4e3d3"/><path d="M-10 150 C80 140 120 150 170 148 S280 140 335 150" fill="none" stroke="#5a93b8" stroke-width="18"/><path d="M120 120 C90 30 230 30 200 120" fill="none" stroke="#86aec7" stroke-width="16" stroke-linecap="round"/></svg>`,
  ],
])

export const ARTIFACT_ADDRESS = '/scenario-media/rivers.csv'

export const RIVERS = [
  { river: 'Danube', length_km: 2850, mouth: 'Black Sea' },
  { river: 'Rhine', length_km: 1233, mouth: 'North Sea' },
  { river: 'Elbe', length_km: 1094, mouth: 'North Sea' },
]

/** The pictures and the file of the scenarios, from the same origin as the page. */
export function mediaResponse(pathname: string): Response | undefined {
  const headers = {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  }
  const picture = MEDIA.get(pathname)
  if (picture !== undefined) return new Response(picture, { headers: { ...headers, 'content-type': 'image/svg+xml' } })
  if (pathname !== ARTIFACT_ADDRESS) return undefined
  const csv = ['river,length_km,mouth', ...RIVERS.map((row) => Object.values(row).join(','))].join('\r\n')
  return new Response(`${csv}\r\n`, { headers: { ...headers, 'content-type': 'text/csv; charset=utf-8' } })
}
