import { ApiFailure } from '@sightline/client'
import { Button, EmptyState } from '@sightline/kit'
import { useTranslation } from './translation.tsx'

const UNKNOWN =
  'The application has encountered an unknown error, try again later. If the problem persists, contact support.'

interface LoadFailedProps {
  error: unknown
  reset: () => void
  /** What failed to load, if it is only a part of the page. */
  title?: string | undefined
  /** The whole page failed to load. */
  isPage?: boolean
}

/** An error for content that failed to load, with its reason and a button to try again. */
export function LoadFailed({ error, reset, title, isPage = false }: LoadFailedProps) {
  const t = useTranslation()
  const failure = error instanceof ApiFailure ? error : undefined
  return (
    <div role="alert">
      <EmptyState
        icon={failure?.code === 20 ? 'offline' : 'warning'}
        isPage={isPage}
        title={title ?? t("Couldn't load this page")}
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
    </div>
  )
}

/**
 * An error for a page that crashed or whose code failed to load. The browser and the router remember both until the
 * page reloads.
 */
export const PageFailed = ({ error }: Pick<LoadFailedProps, 'error'>) => (
  <LoadFailed isPage error={error} reset={() => window.location.reload()} />
)
