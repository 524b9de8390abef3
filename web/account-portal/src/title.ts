import { useEffect } from 'react'
import { usePortal } from './portal.ts'
import { type Text, useText } from './text.ts'

/** Names the page in the browser's tab and history: `Details · Sightline`. */
export function usePageTitle(page: Text): void {
  const { config } = usePortal()
  const t = useText()
  const title = `${t(page)} · ${config.title}`
  useEffect(() => {
    document.title = title
  }, [title])
}
