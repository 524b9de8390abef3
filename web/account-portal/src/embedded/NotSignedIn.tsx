import { EmptyState } from '@sightline/kit'
import { useEmbeddedText } from './text.ts'

/** What an embedded page shows until its host has signed in again. */
export function NotSignedIn() {
  const t = useEmbeddedText()
  return (
    <EmptyState icon="lock" isPage title={t('You are not signed in')}>
      {t('Sign in again in the application that shows this page.')}
    </EmptyState>
  )
}
