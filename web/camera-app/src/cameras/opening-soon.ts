import type { Client } from '@sightline/client'
import { connectLive, prepareLive } from '@sightline/player'
import type { PointerEvent } from 'react'

/** A pointer or the focus that only crosses the list stays on a camera for a shorter time. */
const REST_MS = 40

let resting: ReturnType<typeof setTimeout> | undefined

const leave = () => clearTimeout(resting)

/**
 * What the link of a camera listens to, so that its picture is there sooner: its address is asked for while the pointer or the focus
 * rests on it, and a press connects. A touch does neither, because it may be the beginning of scrolling.
 */
export function openingSoon(client: Client, cameraId: number) {
  const rest = () => {
    leave()
    resting = setTimeout(() => prepareLive(client, cameraId), REST_MS)
  }
  return {
    onPointerEnter: ({ pointerType }: PointerEvent) => {
      if (pointerType === 'mouse') rest()
    },
    onPointerLeave: leave,
    onFocus: rest,
    onBlur: leave,
    onPointerDown: ({ button, pointerType }: PointerEvent) => {
      leave()
      if (button === 0 && pointerType === 'mouse') connectLive(client, cameraId)
    },
  } as const
}
