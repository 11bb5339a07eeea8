# The image for both kinds of machine: docker buildx bake --push
# For this machine alone, loaded into its engine: docker buildx bake local

variable "TAG" { default = "scottenbury:latest" }

group "default" { targets = ["image"] }

target "image" {
  context   = "."
  tags      = [TAG]
  platforms = ["linux/amd64", "linux/arm64"]
  attest    = ["type=sbom", "type=provenance,mode=max"]
}

target "local" {
  inherits  = ["image"]
  platforms = []
  attest    = []
  output    = ["type=docker"]
}
