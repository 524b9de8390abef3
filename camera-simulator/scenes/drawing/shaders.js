export const copyVertexShader = /* glsl */ `
varying vec2 vUv;
void main() { vUv = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }`

export const addShader = /* glsl */ `
uniform sampler2D picture; uniform float weight; varying vec2 vUv;
void main() { gl_FragColor = vec4(min(texture2D(picture, vUv).rgb, vec3(12.0)) * weight, weight); }`

export const positionShader = {
  vertexShader: /* glsl */ `
varying vec3 vWorld; varying vec3 vWorldNormal;
void main() {
  vec4 local = vec4(position, 1.0);
  vec3 n = normal;
  #ifdef USE_INSTANCING
    local = instanceMatrix * local;
    n = mat3(instanceMatrix) * n;
  #endif
  vec4 world = modelMatrix * local;
  vWorld = world.xyz;
  vWorldNormal = mat3(modelMatrix) * n;
  gl_Position = projectionMatrix * viewMatrix * world;
}`,
  fragmentShader: /* glsl */ `
uniform float gloss; varying vec3 vWorld; varying vec3 vWorldNormal;
layout(location = 0) out vec4 outPosition; layout(location = 1) out vec4 outNormal;
void main() {
  vec3 n = normalize(vWorldNormal);
  outPosition = vec4(vWorld, gloss);
  outNormal = vec4(gl_FrontFacing ? n : -n, 1.0);
}`,
  glslVersion: '300 es',
}

/** Puts the depth of the still scene into the depth buffer, from the baked positions. */
export const depthShader = /* glsl */ `
uniform sampler2D positions; uniform mat4 worldToPicture; varying vec2 vUv;
void main() {
  vec4 clip = worldToPicture * vec4(texture2D(positions, vUv).xyz, 1.0);
  gl_FragDepth = clamp(clip.z / clip.w * 0.5 + 0.5, 0.0, 1.0);
  gl_FragColor = vec4(0.0);
}`

export const maxOccluders = 72

/** How much light the movers take from each still pixel: r = soft dark near them, g = shadow from the main lamp. */
export const occlusionShader = /* glsl */ `
uniform sampler2D positions; uniform sampler2D normals;
uniform vec4 occluders[${maxOccluders}]; uniform int occluderCount;
uniform sampler2DShadow shadowMap; uniform mat4 shadowMatrix; uniform float shadowBlur;
varying vec2 vUv;
void main() {
  vec4 place = texture2D(positions, vUv);
  vec3 n = texture2D(normals, vUv).xyz;
  float open = 1.0;
  for (int i = 0; i < ${maxOccluders}; i++) {
    if (i >= occluderCount) break;
    vec3 to = occluders[i].xyz - place.xyz;
    float d2 = dot(to, to);
    float r2 = occluders[i].w * occluders[i].w;
    if (d2 > r2 * 90.0) continue;
    float facing = max(0.0, dot(n, to) * inversesqrt(d2) + 0.1);
    open *= 1.0 - clamp(facing * r2 / max(d2, r2 * 0.6) - 0.03, 0.0, 0.92);
  }
  vec4 s = shadowMatrix * vec4(place.xyz + n * 0.03, 1.0);
  vec3 c = s.xyz / s.w;
  float lit = 0.0;
  for (int i = 0; i < 16; i++) {
    float a = float(i) * 2.39996;
    vec2 o = vec2(cos(a), sin(a)) * sqrt((float(i) + 0.5) / 16.0) * shadowBlur;
    lit += texture(shadowMap, vec3(c.xy + o, c.z - 0.001));
  }
  bool outside = any(lessThan(c, vec3(0.0))) || any(greaterThan(c, vec3(1.0)));
  gl_FragColor = vec4(open, outside ? 1.0 : lit / 16.0, 0.0, 1.0);
}`

/** Keeps only what is brighter than white, for the glow around lamps and windows. */
export const brightShader = /* glsl */ `
uniform sampler2D first; uniform sampler2D second; varying vec2 vUv;
void main() { gl_FragColor = vec4(max(texture2D(first, vUv).rgb + texture2D(second, vUv).rgb - 0.85, 0.0), 1.0); }`

export const blurShader = /* glsl */ `
uniform sampler2D picture; uniform vec2 stride; varying vec2 vUv;
void main() {
  vec4 sum = vec4(0.0);
  float total = 0.0;
  for (int i = -8; i <= 8; i++) {
    float w = exp(-float(i * i) / 24.0);
    sum += texture2D(picture, vUv + stride * float(i)) * w;
    total += w;
  }
  gl_FragColor = sum / total;
}`

/**
 * The finished picture: still light less the movers' shadows, reflections in the floor, the movers, then the camera itself:
 * lens distortion, vignette, tone curve, a little sharpening and sensor noise.
 */
export const cameraShader = /* glsl */ `
uniform sampler2D ambient; uniform sampler2D lamps; uniform sampler2D occlusion; uniform sampler2D movers;
uniform sampler2D positions; uniform sampler2D mirrorStill; uniform sampler2D mirrorMovers; uniform sampler2D glow;
uniform vec3 eye; uniform vec3 balance; uniform float exposure; uniform float saturation; uniform float distortion;
uniform float shadowStrength; uniform float occlusionStrength; uniform float aspect;
varying vec2 vUv;
float hash(vec3 p) { p = fract(p * vec3(0.1031, 0.1030, 0.0973)); p += dot(p, p.yzx + 33.33); return fract((p.x + p.y) * p.z); }
vec3 mirrored(vec2 at, float spread) {
  vec3 sum = vec3(0.0);
  for (int i = 0; i < 12; i++) {
    float a = float(i) * 2.39996;
    vec2 o = vec2(cos(a) * 0.5, sin(a)) * sqrt((float(i) + 0.5) / 12.0) * spread;
    vec4 m = texture2D(mirrorMovers, at + o);
    sum += texture2D(mirrorStill, at + o).rgb * (1.0 - m.a) + m.rgb;
  }
  return sum / 12.0;
}
vec3 light(vec2 at) {
  vec4 place = texture2D(positions, at);
  vec2 shade = texture2D(occlusion, at).rg;
  float open = mix(1.0, shade.r, occlusionStrength);
  vec3 still = texture2D(ambient, at).rgb * open + texture2D(lamps, at).rgb * mix(1.0, shade.g, shadowStrength) * sqrt(open);
  if (place.w > 0.0) {
    vec3 toEye = normalize(eye - place.xyz);
    float grazing = pow(1.0 - max(toEye.y, 0.0), 4.0);
    still = mix(still, mirrored(at, 0.012), place.w * (0.12 + 0.88 * grazing));
  }
  vec4 m = texture2D(movers, at);
  return still * (1.0 - m.a) + m.rgb;
}
vec3 tone(vec3 c) {
  c *= exposure * balance;
  float grey = dot(c, vec3(0.2126, 0.7152, 0.0722));
  c = max(mix(vec3(grey), c, saturation), 0.0);
  c = c * (2.3 * c + 0.05) / (c * (2.05 * c + 0.62) + 0.1);
  return pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2));
}
void main() {
  vec2 p = (vUv - 0.5) * vec2(aspect, 1.0);
  float r2 = dot(p, p);
  float corner = 0.25 * (aspect * aspect + 1.0);
  vec2 at = 0.5 + (vUv - 0.5) * (1.0 + distortion * r2) / (1.0 + distortion * corner);
  vec3 c = light(at) + texture2D(glow, at).rgb * 0.35;
  c *= 1.0 - 0.42 * smoothstep(0.15, 1.1, r2);
  vec3 shown = tone(c);
  shown += (hash(vec3(gl_FragCoord.xy, 1.0)) - 0.5) * 0.01 * (1.2 - shown.g);
  gl_FragColor = vec4(shown, 1.0);
}`

/**
 * Packs the shown picture as the encoder wants it: 8 bit BT.709 limited range, top row first, four values per texel.
 * `lumaShader` makes the Y plane, `chromaShader` the U plane above the V plane, each of half width and height.
 */
export const lumaShader = /* glsl */ `
uniform sampler2D shown;
void main() {
  vec4 four;
  ivec2 at = ivec2(gl_FragCoord.xy);
  int row = textureSize(shown, 0).y - 1 - at.y;
  for (int i = 0; i < 4; i++) {
    vec3 c = texelFetch(shown, ivec2(at.x * 4 + i, row), 0).rgb;
    four[i] = (16.0 + 219.0 * dot(c, vec3(0.2126, 0.7152, 0.0722))) / 255.0;
  }
  gl_FragColor = four;
}`

export const chromaShader = /* glsl */ `
uniform sampler2D shown;
void main() {
  vec4 four;
  ivec2 at = ivec2(gl_FragCoord.xy);
  ivec2 size = textureSize(shown, 0);
  bool red = at.y >= size.y / 2;
  int row = size.y - 2 - 2 * (red ? at.y - size.y / 2 : at.y);
  for (int i = 0; i < 4; i++) {
    ivec2 corner = ivec2((at.x * 4 + i) * 2, row);
    vec3 c = vec3(0.0);
    for (int n = 0; n < 4; n++) c += texelFetch(shown, corner + ivec2(n & 1, n >> 1), 0).rgb * 0.25;
    float y = dot(c, vec3(0.2126, 0.7152, 0.0722));
    four[i] = (128.0 + 224.0 * (red ? (c.r - y) / 1.5748 : (c.b - y) / 1.8556)) / 255.0;
  }
  gl_FragColor = four;
}`
