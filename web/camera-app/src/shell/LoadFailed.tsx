import { ApiFailure } from '@sightline/client'
import { Button, EmptyState } from '@sightline/kit'
import { useText } from '../text.ts'

/** Stands where something could not be loaded, says why, and tries again. */
export function LoadFailed({ error, reset }: { error: unknown; reset: () => void }) {
  const t = useText()
  const message = error instanceof ApiFailure ? error.message : String(error)
  return (
    <EmptyState
      icon={error instanceof ApiFailure && error.code === 20 ? 'offline' : 'warning'}
      title={t('This page could not be loaded')}
      action={
        <Button variant="secondary" icon="refresh" onClick={reset}>
          {t('Try again')}
        </Button>
      }
    >
      {t.message(message)}
    </EmptyState>
  )
}
