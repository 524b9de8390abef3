import { buttonClass, EmptyState } from '@sightline/kit'
import { usePageTitle } from '@sightline/shell'
import { useText } from '../text.ts'

/** The "not found" page, with a link back. */
export function NothingHere({ title }: { title: string }) {
  const t = useText()
  usePageTitle(title)
  return (
    <EmptyState
      icon="camera"
      isPage
      title={title}
      action={
        <a data-here href="/app/" className={buttonClass()}>
          {t('All cameras')}
        </a>
      }
    />
  )
}

export function NoSuchPage() {
  const t = useText()
  return <NothingHere title={t('Page not found')} />
}
