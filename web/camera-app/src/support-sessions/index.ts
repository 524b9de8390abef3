export { HiddenVideo } from './HiddenVideo.tsx'
