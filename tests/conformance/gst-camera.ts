import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const python = '/usr/bin/python3'
const script = new URL('../fixtures/gst-camera.py', import.meta.url).pathname
const check = "import gi; gi.require_version('GstRtspServer', '1.0'); from gi.repository import GstRtspServer"

/** Whether the third-party RTSP server is installed. */
export const hasGst = spawnSync(python, ['-c', check]).status === 0

export interface GstCamera extends AsyncDisposable {
  /** `rtsp://127.0.0.1:port`; the streams are listed in gst-camera.py. */
  readonly url: string
}

/** Starts it on a free port; without an account it asks for none. */
export async function startGstCamera(account?: {
  readonly username: string
  readonly password: string
}): Promise<GstCamera> {
  const login = account === undefined ? [] : [account.username, account.password]
  const server = spawn(python, [script, ...login], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(server, 'exit')
  for await (const line of createInterface({ input: server.stdout })) {
    return {
      url: `rtsp://127.0.0.1:${line.trim()}`,
      async [Symbol.asyncDispose]() {
        server.kill()
        await ended
      },
    }
  }
  throw new Error('gst-camera.py printed no port')
}
