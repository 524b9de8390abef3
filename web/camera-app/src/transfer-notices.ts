import { lazy } from 'react'

const load = () => import('./camera-transfers/index.ts')

// Few cameras change accounts, so these load on demand.
export const OfferNotice = lazy(() => load().then((module) => ({ default: module.OfferNotice })))
export const TransferredNotice = lazy(() => load().then((module) => ({ default: module.TransferredNotice })))
