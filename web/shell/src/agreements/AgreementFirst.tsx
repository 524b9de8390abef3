import { lazy, type ReactNode, Suspense } from 'react'
import { useAgreementOwed } from './agreement-owed.ts'

// The first screen doesn't wait for this.
const AgreementDialog = lazy(() =>
  import('./AgreementDialog.tsx').then((module) => ({ default: module.AgreementDialog })),
)

const LazyAgreementDialog = () => (
  <Suspense fallback={null}>
    <AgreementDialog />
  </Suspense>
)

/** Renders its children after the brand's agreement is accepted, or if none is required. */
export const AgreementFirst = ({ children }: { children: ReactNode }) =>
  useAgreementOwed() ? <LazyAgreementDialog /> : children
