import { useEffect } from 'react'
import { useApplication } from './application.ts'

/** Names the page in the browser's tab and history: `Details · Sightline`; the application alone while `page` is empty. */
export function usePageTitle(page: string): void {
  const { config } = useApplication()
  const title = page === '' ? config.title : `${page} · ${config.title}`
  useEffect(() => {
    document.title = title
  }, [title])
}
