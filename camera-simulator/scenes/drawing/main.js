import { openStudio } from './studio.js'

const builders = {
  'car-park': async () => (await import('./car-park.js')).buildCarPark,
  'shop-floor': async () => (await import('./shop-floor.js')).buildShopFloor,
  corridor: async () => (await import('./corridor.js')).buildCorridor,
  entrance: async () => (await import('./entrance.js')).buildEntrance,
}

/** Draws the asked frames of a scene and posts each one to the server that runs this page. */
globalThis.draw = async ({ scene, frames, quality }) => {
  const studio = await openStudio(await builders[scene](), quality)
  let posted = Promise.resolve()
  for (const frame of frames) {
    const picture = studio.takePicture(frame)
    await posted
    posted = fetch(`/pictures/${frame}`, { method: 'POST', body: picture })
  }
  await posted
}
