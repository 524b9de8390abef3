/** Live video over WHEP in a page of Chromium, as an integrator writes a player. */
import type { Page } from 'playwright-core'

declare global {
  interface Window {
    /** What {@link playWhep} has opened, and the address of its session. */
    whep: { readonly peer: RTCPeerConnection; readonly session: string }
  }
}

export interface WhepAnswer {
  readonly status: number
  /** The answer, or why there is none. */
  readonly text: string
}

/** Plays what is at `url` in the page. The answer's port `instead[0]` becomes `instead[1]`, as that of a relay. */
export const playWhep = (page: Page, url: string, instead: readonly [number, number] = [0, 0]): Promise<WhepAnswer> =>
  page.evaluate(
    async ([from, [own, other]]) => {
      const peer = new RTCPeerConnection()
      const video = document.createElement('video')
      Object.assign(video, { muted: true, autoplay: true, srcObject: new MediaStream() })
      document.body.append(video)
      for (const kind of ['video', 'audio']) peer.addTransceiver(kind, { direction: 'recvonly' })
      peer.ontrack = ({ track }) => (video.srcObject as MediaStream).addTrack(track)
      await peer.setLocalDescription(await peer.createOffer())
      const headers = { 'content-type': 'application/sdp' }
      const answer = await fetch(from, { method: 'POST', headers, body: peer.localDescription?.sdp ?? '' })
      const text = await answer.text()
      if (answer.status !== 201) return { status: answer.status, text }
      window.whep = { peer, session: answer.headers.get('location') ?? '' }
      const sdp = own === 0 ? text : text.replaceAll(` ${own} `, ` ${other} `)
      await peer.setRemoteDescription({ type: 'answer', sdp })
      return { status: answer.status, text }
    },
    [url, instead] as const,
  )

export interface ReceivedMedia {
  /** Decoded ones. */
  readonly pictures: number
  readonly lost: number
  /** Packets that were asked for again. */
  readonly askedAgain: number
  readonly askedForPictures: number
  readonly freezes: number
  readonly soundPackets: number
  readonly state: RTCPeerConnectionState
}

/** What the page has received so far. */
export const readReceived = (page: Page): Promise<ReceivedMedia> =>
  page.evaluate(async () => {
    const { peer } = window.whep
    let found = { pictures: 0, lost: 0, askedAgain: 0, askedForPictures: 0, freezes: 0, soundPackets: 0 }
    for (const each of (await peer.getStats()).values()) {
      if (each.type !== 'inbound-rtp') continue
      if (each.kind === 'audio') found = { ...found, soundPackets: each.packetsReceived }
      else
        found = {
          ...found,
          pictures: each.framesDecoded,
          lost: each.packetsLost,
          askedAgain: each.nackCount,
          askedForPictures: each.pliCount,
          freezes: each.freezeCount,
        }
    }
    return { ...found, state: peer.connectionState }
  })
