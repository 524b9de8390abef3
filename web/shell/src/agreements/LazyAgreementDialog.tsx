import { lazy, Suspense } from 'react'

// A first screen does not wait for it.
const AgreementDialog = lazy(() =>
  import('./AgreementDialog.tsx').then((module) => ({ default: module.AgreementDialog })),
)

export const LazyAgreementDialog = () => (
  <Suspense fallback={null}>
    <AgreementDialog />
  </Suspense>
)
