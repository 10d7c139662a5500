import { useEffect, useLayoutEffect } from 'react'

/** `useLayoutEffect`, which React 18 warns of on a server. */
export const useBrowserLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect
