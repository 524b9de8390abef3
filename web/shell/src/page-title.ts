import { useEffect } from 'react'
import { useApplication } from './application.ts'

/** The title in the browser's tab and history: `Details · Sightline`; only the application if `page` is empty. */
export function usePageTitle(page: string): void {
  const { config } = useApplication()
  const title = page === '' ? config.title : `${page} · ${config.title}`
  useEffect(() => {
    document.title = title
  }, [title])
}
