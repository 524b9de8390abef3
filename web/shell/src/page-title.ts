import { announce } from '@sightline/kit'
import { useEffect } from 'react'
import { useApplication } from './application.ts'

/** The screen that is shown now; the first one is the browser's to announce. */
let shown: { readonly path: string; readonly page: string } | undefined

/** Announces a new screen, and moves the focus to its content unless it is there already: on a tab, in a form. */
function arrive(page: string): void {
  const path = window.location.pathname
  const previous = shown
  shown = { path, page }
  if (previous === undefined || page === '') return
  if (previous.page !== page) announce(page)
  if (previous.path === path) return
  const content = document.getElementById('content')
  if (content?.contains(document.activeElement) === false) content.focus({ preventScroll: true })
}

/** The title in the browser's tab and history: `Details · Sightline`; only the application if `page` is empty. */
export function usePageTitle(page: string): void {
  const { config } = useApplication()
  const title = page === '' ? config.title : `${page} · ${config.title}`
  useEffect(() => {
    document.title = title
    arrive(page)
  }, [title, page])
}
