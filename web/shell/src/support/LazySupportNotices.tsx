import { lazy, Suspense } from 'react'

// A first screen does not wait for it.
const SupportNotices = lazy(() => import('./SupportNotices.tsx').then((module) => ({ default: module.SupportNotices })))

export const LazySupportNotices = () => (
  <Suspense fallback={null}>
    <SupportNotices />
  </Suspense>
)
