import { lazy, Suspense } from 'react'

// The first screen doesn't wait for this.
const SignInAgain = lazy(() => import('./SignInAgain.tsx').then((module) => ({ default: module.SignInAgain })))

export const LazySignInAgain = () => (
  <Suspense fallback={null}>
    <SignInAgain />
  </Suspense>
)
