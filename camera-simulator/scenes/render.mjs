/**
 * Draws the clips of the camera simulator: node camera-simulator/scenes/render.mjs [--preview[=frame,frame]] [--out=folder] [scene ...]
 */
import { once } from 'node:events'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { encodeClip, savePicture } from './encode.mjs'

const scenes = ['car-park', 'shop-floor', 'corridor', 'entrance']
const frameCount = 400
const here = fileURLToPath(new URL('.', import.meta.url))
const contentTypes = { '.html': 'text/html', '.js': 'text/javascript' }

/** Serves the drawing page and three, and hands every posted picture to `take(frame, picture)` in order. */
async function serveDrawing(take) {
  const roots = { '/three/': join(here, '../../node_modules/three'), '/': join(here, 'drawing') }
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    if (request.method === 'POST') {
      const parts = await request.toArray()
      await take(Number(pathname.split('/').at(-1)), Buffer.concat(parts))
      response.end()
      return
    }
    const [prefix, root] = Object.entries(roots).find(([start]) => pathname.startsWith(start))
    const file = join(root, normalize(`/${pathname.slice(prefix.length) || 'index.html'}`))
    const body = await readFile(file).catch(() => undefined)
    response.writeHead(body ? 200 : 404, { 'content-type': contentTypes[extname(file)] ?? 'text/plain' })
    response.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function draw({ scene, frames, quality, take }) {
  const server = await serveDrawing(take)
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  })
  try {
    const page = await browser.newPage()
    page.on('console', (message) => console.log(`  page: ${message.text()}`))
    page.on('pageerror', (error) => console.log(`  page: ${error.stack}`))
    await page.goto(`http://127.0.0.1:${server.address().port}/`)
    await page.waitForFunction('globalThis.draw')
    await page.evaluate((order) => globalThis.draw(order), { scene, frames, quality })
  } finally {
    await browser.close()
    server.close()
  }
}

/** Renders single frames as PNG, smaller and with fewer light samples, for previews while working on a scene. */
async function preview({ scene, frames, folder, quality }) {
  await draw({
    scene,
    frames,
    quality,
    take: (frame, picture) => savePicture(picture, join(folder, `${scene}-${frame}.png`)),
  })
}

async function render({ scene, folder }) {
  const film = join(tmpdir(), `scene-${scene}-${process.pid}.yuv`)
  const file = await open(film, 'w')
  const frames = Array.from({ length: frameCount }, (_, i) => i)
  try {
    await draw({ scene, frames, quality: { size: 1, samples: 56 }, take: (_, picture) => file.write(picture) })
    await file.close()
    await encodeClip({ scene, film, folder: join(folder, scene) })
  } finally {
    await rm(film)
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: join(here, '../clips') },
    preview: { type: 'string' },
    samples: { type: 'string', default: '24' },
    size: { type: 'string', default: '0.5' },
  },
})
await mkdir(values.out, { recursive: true })
for (const scene of positionals.length > 0 ? positionals : scenes) {
  const started = Date.now()
  if (values.preview) {
    const frames = values.preview.split(',').map(Number)
    const quality = { size: Number(values.size), samples: Number(values.samples) }
    await preview({ scene, frames, folder: values.out, quality })
  } else await render({ scene, folder: values.out })
  console.log(`${scene}: ${Math.round((Date.now() - started) / 1000)} s`)
}
