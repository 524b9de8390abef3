/** Live video as JPEGs, with G.711 sound if wanted, for clients that know nothing else. One decoder serves all viewers of a stream. */
export { MULTIPART_TYPE, toPart } from './multipart.ts'
export { type PictureSource, type PictureSourceDeps, pictureSource } from './picture-source.ts'
export { type PictureEnd, type PicturePiece, type PictureViewer, WaitingPieces } from './picture-viewer.ts'
