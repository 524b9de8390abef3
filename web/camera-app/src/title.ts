import { useEffect } from 'react'
import { useApp } from './app.ts'

/** Names the page in the browser's tab and history: `Entrance · Web App`. */
export function usePageTitle(page: string): void {
  const { config } = useApp()
  const title = page === '' ? config.title : `${page} · ${config.title}`
  useEffect(() => {
    document.title = title
  }, [title])
}
