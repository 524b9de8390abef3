import { lazy, type ReactNode, Suspense } from 'react'
import { useAgreementOwed } from './agreement-owed.ts'

// A first screen does not wait for it.
const AgreementDialog = lazy(() =>
  import('./AgreementDialog.tsx').then((module) => ({ default: module.AgreementDialog })),
)

const LazyAgreementDialog = () => (
  <Suspense fallback={null}>
    <AgreementDialog />
  </Suspense>
)

/** Its children, once the brand's agreement is accepted or none is asked for. */
export const AgreementFirst = ({ children }: { children: ReactNode }) =>
  useAgreementOwed() ? <LazyAgreementDialog /> : children
