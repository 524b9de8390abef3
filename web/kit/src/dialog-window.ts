import { useEffect } from 'react'
import { lazyModule, useLazyModule } from './lazy-module.ts'

const dialogWindow = lazyModule(() => import('./popups/DialogWindow.tsx'))

/** What people do before they open a dialog. */
const SIGNS = ['pointerover', 'focusin'] as const

/**
 * The module that draws modal windows. A dialog does not know the button that will open it, so on a screen with dialogs the
 * module comes with the first hover or focus of anything.
 */
export function useDialogWindow(isOpen: boolean) {
  useEffect(() => {
    const preload = () => {
      void dialogWindow.preload()
      stop()
    }
    const stop = () => {
      for (const sign of SIGNS) document.removeEventListener(sign, preload)
    }
    for (const sign of SIGNS) document.addEventListener(sign, preload)
    return stop
  }, [])
  return useLazyModule(dialogWindow, isOpen)
}
