"""Markup that has a browser ask for files in all the ways there are."""


def everything_from(base: str) -> str:
    """Return markup that names files of a server, from style sheets to sockets."""
    return (
        f"<link rel=stylesheet href={base}/sheet.css><link rel=icon href={base}/icon.png>"
        f"<link rel=prefetch href={base}/prefetched><link rel=preload as=image href={base}/preloaded.png>"
        f"<link rel=preconnect href={base}><link rel=dns-prefetch href={base}>"
        f"<link rel=manifest href={base}/app.json>"
        f"<style>@import '{base}/imported.css'; @font-face {{ font-family: Far; src: url({base}/far.woff2) }}"
        f"p {{ font-family: Far; background: url({base}/ground.png) }}</style>"
        f"<iframe src={base}/frame.html></iframe><img src={base}/picture.png srcset='{base}/large.png 2x'>"
        f"<picture><source srcset={base}/source.png><img src={base}/other.png></picture>"
        f"<video poster={base}/poster.png src={base}/film.mp4></video><audio src={base}/sound.mp3></audio>"
        f"<object data={base}/object></object><embed src={base}/embedded>"
        f"<svg><image href={base}/drawn.png /><use href={base}/sprite.svg#a /></svg>"
        f"<input type=image src={base}/button.png><table background={base}/table.png><td>Cell</table>"
        f"<meta http-equiv=refresh content='0; url={base}/refreshed'>"
        f"<script>fetch('{base}/fetched'); new WebSocket('{base}/socket'.replace('http', 'ws'));"
        f"navigator.sendBeacon('{base}/beacon')</script>"
    )
