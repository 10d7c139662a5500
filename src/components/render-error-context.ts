'use client'
import type { ErrorInfo } from 'react'
import { createContext } from 'react'

/** Called with a part that could not be shown: for reports. `info.componentStack` says where it was. */
export type RenderErrorHandler = (error: unknown, info: ErrorInfo) => void

/** Called with every failure that an `ErrorBoundary` inside catches. `Chat` gives its `onRenderError` here. */
export const RenderErrorContext = createContext<RenderErrorHandler | undefined>(undefined)
