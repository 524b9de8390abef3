import type { ReactNode } from 'react'
import { useAgreementOwed } from './agreement-owed.ts'
import { LazyAgreementDialog } from './LazyAgreementDialog.tsx'

/** Its children, once the brand's agreement is accepted or none is asked for. */
export const AgreementFirst = ({ children }: { children: ReactNode }) =>
  useAgreementOwed() ? <LazyAgreementDialog /> : children
