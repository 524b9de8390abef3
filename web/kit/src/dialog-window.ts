import { useEffect } from 'react'
import { lazyModule, useLazyModule } from './lazy-module.ts'

const dialogWindow = lazyModule(() => import('./popups/DialogWindow.tsx'))

/** Events that precede opening a dialog. */
const SIGNS = ['pointerover', 'focusin'] as const

/**
 * Loads the module that draws modal dialogs. A dialog does not know the button that will open it, so the module loads on the
 * first hover or focus of anything on a screen with dialogs.
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
