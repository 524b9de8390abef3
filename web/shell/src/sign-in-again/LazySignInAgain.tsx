import { lazy, Suspense } from 'react'

// A first screen does not wait for it.
const SignInAgain = lazy(() => import('./SignInAgain.tsx').then((module) => ({ default: module.SignInAgain })))

export const LazySignInAgain = () => (
  <Suspense fallback={null}>
    <SignInAgain />
  </Suspense>
)
