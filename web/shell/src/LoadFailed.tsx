import { ApiFailure } from '@sightline/client'
import { Button, EmptyState } from '@sightline/kit'
import { useTranslation } from './translation.tsx'

const UNKNOWN =
  'The application has encountered an unknown error, try again later. If the problem persists, contact support.'

interface LoadFailedProps {
  error: unknown
  reset: () => void
  /** Nothing else of the page is there. */
  isPage?: boolean
}

/** Stands where something could not be loaded, says why, and tries again. */
export function LoadFailed({ error, reset, isPage = false }: LoadFailedProps) {
  const t = useTranslation()
  const failure = error instanceof ApiFailure ? error : undefined
  return (
    <EmptyState
      icon={failure?.code === 20 ? 'offline' : 'warning'}
      isPage={isPage}
      title={t('This page could not be loaded')}
      action={
        <Button variant="secondary" icon="refresh" onClick={reset}>
          {t('Try again')}
        </Button>
      }
    >
      <p>{t.message(failure?.message ?? UNKNOWN)}</p>
      {failure?.requestId === undefined ? null : (
        <p className="mt-2 text-xs">{t('Reference for support: {id}', { id: failure.requestId })}</p>
      )}
    </EmptyState>
  )
}

/** Stands where a page broke or its code did not come: a browser, and the router, remember both until all is loaded anew. */
export const PageFailed = ({ error }: Pick<LoadFailedProps, 'error'>) => (
  <LoadFailed isPage error={error} reset={() => window.location.reload()} />
)
