import { lazy, Suspense } from 'react'

// A first screen does not wait for it.
const AccountNotices = lazy(() => import('./AccountNotices.tsx').then((module) => ({ default: module.AccountNotices })))

export const LazyAccountNotices = () => (
  <Suspense fallback={null}>
    <AccountNotices />
  </Suspense>
)
