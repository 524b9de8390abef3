#!/bin/sh
# Makes the small clips the simulator's own tests play: an odd number of key pictures, and motion that crosses the strip's
# border. Needs ffmpeg with libx264. Run it in this folder; the results are committed, so tests need no encoder.
set -e

picture() { # name, size, pictures a second, pictures between keys, lines of the strip, macroblocks in the strip
  ffmpeg -v error -y -f lavfi -i "testsrc2=size=$2:rate=$3" \
    -f lavfi -i "color=black:size=${2%x*}x$5:rate=$3,format=gray,geq=lum='255*mod(floor(X/4)+floor(Y/4),2)'" \
    -filter_complex "[0:v]gblur=sigma=2[v];[v][1:v]overlay=0:0,format=yuv420p" -frames:v 30 \
    -c:v libx264 -preset slow -profile:v main -crf 40 \
    -x264-params "cabac=0:bframes=0:ref=1:weightp=0:no-deblock=1:keyint=$4:min-keyint=$4:scenecut=0:slice-max-mbs=$6:8x8dct=0" \
    -bsf:v "filter_units=remove_types=6" -f h264 "$1.h264"
}

picture main 1920x1080 25 10 64 480
picture sub 640x360 10 10 32 80
ffmpeg -v error -y -f lavfi -i "sine=frequency=440:sample_rate=16000:duration=1.2" -ac 1 -c:a aac -b:a 24k -f adts audio.aac
