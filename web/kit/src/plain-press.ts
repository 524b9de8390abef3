import type { MouseEvent } from 'react'

/** Whether a link is clicked with the main button and without a modifier key. */
export const isPlainPress = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey
