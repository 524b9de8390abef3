import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { pageLocale } from '../page-locale.ts'

/** Where React Aria would put a `<style>` of its own, which the content security policy forbids; kit.css has its rule. */
const STYLE_ID = 'react-aria-pressable-style'

if (document.getElementById(STYLE_ID) === null) {
  const mark = document.createElement('meta')
  mark.id = STYLE_ID
  document.head.append(mark)
}

/** Around everything of React Aria: its texts, dates and directions are those of the page. */
export function AriaFrame({ children }: { children: ReactNode }) {
  return <I18nProvider locale={pageLocale()}>{children}</I18nProvider>
}
